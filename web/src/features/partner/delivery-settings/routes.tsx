import { page, withTexts } from '../../../lib/route-page.ts';

export const deliverySettingsPages = withTexts(
  ['deliverySettings', 'effect'],
  [
    {
      path: '/partner/delivery_settings',
      handle: { needs: 'getDeliverySettings' },
      ...page(() => import('./settings-page.tsx'), 'DeliverySettingsPage'),
    },
  ],
);
