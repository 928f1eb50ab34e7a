import { screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';

/** Opens what is behind one's name in the top bar. */
export async function openAccountMenu(user: UserEvent): Promise<void> {
  await user.click(await screen.findByRole('button', { name: /さんのアカウント$|^Account of / }));
}
