import { useTranslation } from 'react-i18next';
import { accountPath } from '../../components/account-paths.ts';
import type { palette } from '../../i18n/ja/palette.ts';
import { choose } from '../../lib/choices.ts';
import { useLanguage } from '../../lib/i18n.ts';
import type { Call } from '../../lib/session/calls.ts';
import type { Session, SessionKind } from '../../lib/session/session-store.ts';
import { useMay } from '../../lib/session/use-session.ts';
import { useNavigation } from '../use-navigation.ts';

/** One line of the palette. */
export interface Command {
  /** Tells it from all others, and stays the same from one opening to the next. */
  readonly id: string;
  readonly text: string;
  /** What one knows it by besides. */
  readonly hint?: string | undefined;
  /** Where it leads, or what it does here. */
  readonly to?: string;
  readonly run?: () => void;
}

type Action = keyof typeof palette.actions;

interface ActionDefinition {
  readonly text: Action;
  readonly needs: Call;
  readonly to: string;
  /** For administrators of a unit, whose own it is about. */
  readonly ofUnit?: true;
}

const actions: Readonly<Record<SessionKind, readonly ActionDefinition[]>> = {
  admin: [
    { text: 'createUnit', needs: 'createUnit', to: '/admin/outsourcing/create' },
    { text: 'createPartner', needs: 'createPartner', to: '/admin/partners/create' },
    {
      text: 'createUnitAdmin',
      needs: 'createUnitAdmin',
      to: '/admin/outsourcing/admins/create',
      ofUnit: true,
    },
    { text: 'createPlatformAdmin', needs: 'createAdmin', to: '/admin/admins/create' },
  ],
  partner: [
    { text: 'createFile', needs: 'createFile', to: '/partner/files/create' },
    {
      text: 'createPush',
      needs: 'createNotification',
      to: '/partner/push-notifications/create',
    },
    { text: 'createUser', needs: 'createUser', to: '/partner/users/create' },
    { text: 'importUsers', needs: 'createUserImport', to: '/partner/users/csv' },
    { text: 'createGroup', needs: 'createGroup', to: '/partner/groups/create' },
    { text: 'createCompanyAdmin', needs: 'createCompanyAdmin', to: '/partner/admins/create' },
  ],
};

/** The screens and the actions of the area, as far as the caller may use them. */
export function useCommands(session: Session): { screens: readonly Command[]; actions: readonly Command[] } {
  const { kind } = session;
  const isOfUnit = session.kind === 'admin' && session.outsourcingFlag;
  const { t } = useTranslation(['palette', 'shell']);
  const may = useMay();
  const language = useLanguage();
  const other = language === 'ja' ? 'en' : 'ja';
  const own = [
    { to: accountPath(kind), text: t('shell:accountPage') },
    { to: `/${kind}/password/update`, text: t('shell:changePassword') },
  ];
  const listed = useNavigation(kind).flatMap(({ entries }) =>
    entries.map(({ label, to }) => ({ to, text: t(`shell:nav.${label}`) })),
  );
  return {
    screens: [...listed, ...own].map((screen) => ({ id: screen.to, ...screen })),
    actions: [
      ...actions[kind]
        .filter(({ needs, ofUnit }) => may(needs) && (!ofUnit || isOfUnit))
        .map(({ text, to }) => ({ id: to, text: t(`actions.${text}`), to })),
      ...(['light', 'dark', 'system'] as const).map((appearance) => ({
        id: appearance,
        text: t(`actions.${appearance}`),
        run: () => choose({ appearance }),
      })),
      { id: 'language', text: t('shell:switchTo'), run: () => choose({ language: other }) },
    ],
  };
}

const folded = (text: string) => text.normalize('NFKC').toLowerCase();

/** Those whose text, or what one knows them by besides, has every word of `typed`. */
export function matching(commands: readonly Command[], typed: string): readonly Command[] {
  const words = folded(typed).split(/\s+/).filter(Boolean);
  return commands.filter(({ hint = '', text }) =>
    words.every((word) => folded(`${text} ${hint}`).includes(word)),
  );
}
