import { chakra } from '@chakra-ui/react';
import { type ContractRank, contractRanks, plans } from '@portal/contracts';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format.ts';
import { Fieldset, fieldId } from '../../../ui/form/field.tsx';
import { rankRefusal } from './partner-rules.ts';

interface RankFieldProps {
  name: string;
  label: string;
  value: ContractRank | '';
  /** Of the company that is edited. */
  before: ContractRank | undefined;
  onChoose: (rank: ContractRank) => void;
}

/** The choice of a plan, from the table that says what each includes. */
export function RankField({ before, label, name, onChoose, value }: RankFieldProps) {
  const { t } = useTranslation(['partnerForm', 'auth']);
  const words = usePlanWords();
  const base = useId();
  return (
    <Fieldset name={name} label={label} required>
      <chakra.div borderWidth="1px" borderRadius="md" overflow="hidden">
        <chakra.table role="table" css={styles}>
          <thead role="rowgroup">
            <tr role="row">
              {columns.map((column) => (
                <th role="columnheader" scope="col" key={column}>
                  {t(`plan.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {contractRanks.map((rank, index) => {
              const refusal = rankRefusal(rank, before);
              const cells = words(rank);
              const describedBy = [...Object.keys(cells), ...(refusal ? ['refusal'] : [])]
                .map((column) => `${base}-${rank}-${column}`)
                .join(' ');
              return (
                <tr
                  role="row"
                  key={rank}
                  data-chosen={rank === value ? '' : undefined}
                  data-refused={refusal}
                >
                  <th role="rowheader" scope="row">
                    <label>
                      <input
                        type="radio"
                        id={index === 0 ? fieldId(name) : undefined}
                        name={name}
                        value={rank}
                        checked={rank === value}
                        disabled={refusal !== undefined}
                        aria-describedby={describedBy}
                        onChange={() => onChoose(rank)}
                      />
                      {t(`auth:ranks.${rank}`)}
                    </label>
                    {refusal && <small id={`${base}-${rank}-refusal`}>{t(`plan.${refusal}`)}</small>}
                  </th>
                  {Object.entries(cells).map(([column, text]) => (
                    <td
                      role="cell"
                      key={column}
                      id={`${base}-${rank}-${column}`}
                      data-label={t(`plan.${column as keyof typeof cells}`)}
                    >
                      {text}
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </chakra.table>
      </chakra.div>
    </Fieldset>
  );
}

const columns = ['rank', 'licenseTypes', 'licenses', 'term', 'files', 'features'] as const;

/** What a plan includes, in words, by its columns. */
function usePlanWords() {
  const { t } = useTranslation('partnerForm');
  const { number } = useFormat();
  return (rank: ContractRank): Record<Exclude<(typeof columns)[number], 'rank'>, string> => {
    const { apis, files, licenses, licensesAreFixed, licenseTypes, termMonths } = plans[rank];
    const count = number(licenses);
    return {
      licenseTypes: t(licenseTypes.length > 1 ? 'plan.both' : 'plan.user'),
      licenses: licensesAreFixed ? t('plan.atMost', { count }) : count,
      term: t(termMonths === null ? 'plan.perContract' : 'plan.month'),
      files: t('plan.filesCount', { count: number(files) }),
      features: apis.map((api) => t(`plan.apis.${api}`)).join(t('plan.and')),
    };
  };
}

const styles = {
  w: 'full',
  fontSize: 'sm',
  borderCollapse: 'separate',
  borderSpacing: '0',
  '& th, & td': { px: '3', py: '2', textAlign: 'start', verticalAlign: 'top' },
  '& thead th': { bg: 'bg.subtle', color: 'fg.muted', fontSize: 'xs', fontWeight: 'semibold' },
  '& tbody tr': { position: 'relative' },
  '& tbody :is(th, td)': { borderTopWidth: '1px', borderColor: 'border.muted' },
  '& tbody th': { fontWeight: 'medium', whiteSpace: 'nowrap' },
  '& tbody td': { wordBreak: 'auto-phrase' },
  '& label': { display: 'inline-flex', alignItems: 'center', gap: '2', minH: '6', cursor: 'pointer' },
  // All of a row chooses its plan.
  '& label::after': { content: '""', position: 'absolute', inset: '0' },
  '& input': {
    position: 'relative',
    zIndex: '1',
    boxSize: '4',
    accentColor: 'accent.solid',
    flexShrink: '0',
  },
  '& small': { display: 'block', ps: '6', fontSize: 'xs', fontWeight: 'normal', whiteSpace: 'normal' },
  '& tr[data-chosen] > *': { bg: 'accent.subtle' },
  '& tr:not([data-refused]):not([data-chosen]):hover > *': { bg: 'bg.subtle' },
  '& tr[data-refused]': { color: 'fg.muted' },
  '& tr[data-refused] label': { cursor: 'not-allowed' },
  '& tr:has(:focus-visible)': {
    outline: '2px solid',
    outlineColor: 'accent.focusRing',
    outlineOffset: '-2px',
  },
  '@media (max-width: 47.99rem)': {
    '&, & tbody': { display: 'block' },
    '& thead': { display: 'none' },
    '& tbody tr': {
      display: 'grid',
      px: '3',
      py: '2',
      borderTopWidth: '1px',
      borderColor: 'border.muted',
    },
    '& tbody tr:first-of-type': { borderTopWidth: '0' },
    '& tbody :is(th, td)': { p: '0', borderTopWidth: '0' },
    '& tbody td': { display: 'flex', gap: '2', ps: '6', fontSize: 'xs' },
    '& tbody td::before': {
      content: 'attr(data-label)',
      flexShrink: '0',
      w: '7.5rem',
      color: 'fg.muted',
    },
    '& tr[data-chosen]': { bg: 'accent.subtle' },
  },
} as const;
