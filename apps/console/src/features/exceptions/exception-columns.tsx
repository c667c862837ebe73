import type { ReactNode } from 'react';
import type { Hold, Override } from '../../client/api-types.ts';
import type { Act } from '../../client/use-act.ts';
import { Ago } from '../../ui/ago.tsx';
import { Button } from '../../ui/button.tsx';
import type { Column } from '../../ui/table/column.ts';
import { visibleText } from '../../ui/visible-text.ts';

/** The columns of what an operator set aside for a time: who, why, since when, until when, and the button that ends it. */
export function exceptionColumns<Row extends Hold | Override>(end: {
  readonly act: Act;
  readonly label: string;
  readonly onPress: (row: Row) => void;
}): readonly Column<Row>[] {
  const { act, label, onPress } = end;
  const button = (row: Row): ReactNode => (
    <Button isSmall blockedBecause={act.blockedBecause} onClick={() => onPress(row)}>
      {label}
    </Button>
  );
  return [
    {
      id: 'by',
      header: 'By',
      width: '7rem',
      cell: (row) => visibleText(row.by),
      narrow: 'line',
      plain: (row) => row.by,
    },
    {
      id: 'reason',
      header: 'Reason',
      width: 'minmax(12rem, 2fr)',
      cell: (row) => <span className="break-words">{visibleText(row.reason)}</span>,
      narrow: 'line',
      plain: (row) => row.reason,
    },
    {
      id: 'at',
      header: 'Since',
      width: '8rem',
      cell: (row) => <Ago at={row.at} />,
      narrow: 'line',
      plain: (row) => row.at,
    },
    {
      id: 'until',
      header: 'Ends',
      width: '8rem',
      cell: (row) => <Ago at={row.until} />,
      narrow: 'line',
      plain: (row) => row.until,
    },
    ...(act.isHidden ? [] : [{ id: 'act', header: 'Act', width: '7rem', cell: button, narrow: 'line' as const }]),
  ];
}
