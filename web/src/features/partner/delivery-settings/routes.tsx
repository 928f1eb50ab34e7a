import { page, withTexts } from '../../../lib/route-page.ts';

export const deliverySettingsPages = withTexts(
  ['deliverySettings'],
  [
    {
      path: '/partner/delivery_settings',
      handle: { needs: 'getDeliverySettings' },
      ...page(() => import('./settings-page.tsx'), 'DeliverySettingsPage'),
    },
  ],
);
