import { beforeEach, describe, expect, it, vi } from 'vitest';

/** As a page that is loaded anew has it. */
async function loaded() {
  vi.resetModules();
  return import('./choices.ts');
}

describe('what was chosen of lists and could not be kept', () => {
  beforeEach(() => localStorage.clear());

  it('goes to the server after the page was loaded again, and nothing else of this browser', async () => {
    localStorage.setItem('portal.lists', JSON.stringify({ files: 'of days ago' }));
    const { chooseLists } = await loaded();
    chooseLists((lists) => ({ ...lists, users: 'first' }));
    chooseLists((lists) => ({ ...lists, users: `${lists['users']}, second` }));
    const choices = await loaded();
    choices.chooseLists((lists) => ({ ...lists, users: `${lists['users']}, third` }));
    const chosen = choices.unkeptChoices();
    expect(choices.chosenOver({ lists: { files: 'of today', users: 'of today' } }, chosen)).toEqual({
      lists: { files: 'of today', users: 'first, second, third' },
    });
    choices.forgetChoices(chosen);
    expect((await loaded()).unkeptChoices()).toEqual({});
  });

  it('is nothing to who signs in next', async () => {
    const { chooseLists } = await loaded();
    chooseLists((lists) => ({ ...lists, users: 'mine' }));
    const { setPreferencesKnown, unkeptChoices } = await loaded();
    setPreferencesKnown(false);
    expect(unkeptChoices()).toEqual({});
  });
});
