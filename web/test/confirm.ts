import { type BoundFunctions, type queries, waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect } from 'vitest';

/** Presses what confirms a change, once its effect is told: before that it cannot be pressed. */
export async function confirmChange(
  user: UserEvent,
  place: Pick<BoundFunctions<typeof queries>, 'findByRole'>,
  name: string,
): Promise<void> {
  const button = await place.findByRole('button', { name });
  await waitFor(() => expect(button.hasAttribute('disabled')).toBe(false));
  await user.click(button);
}
