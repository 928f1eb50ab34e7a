import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import { renderApp } from './render-app.tsx';
import { server, summary } from './server.ts';
import { signInPartner } from './sign-in.ts';

/** What the page of a company's usage says of what it has by contract. */

const factOf = async (name: string) => {
  const term = await screen.findByText(name, { selector: 'dt' });
  return term.nextElementSibling?.textContent;
};

it.each([
  [true, '利用できます'],
  [false, 'ご契約に含まれません'],
])(
  'tells how many pushes arrived, and whether single sign-on is in the contract: %s',
  async (isAllowed, told) => {
    server.use(
      http.get('*/v1/partner/partners/:pid/summary', () =>
        HttpResponse.json(summary({ push_notification_num: 1234, allowed_sso_api_flag: isAllowed })),
      ),
    );
    await signInPartner();
    renderApp('/partner/summary');
    const main = within(await screen.findByRole('main'));
    await main.findByText('1,234');
    expect(await factOf('シングルサインオン')).toBe(told);
  },
);
