import type { ApiFault } from '../../client/api-fault.ts';

/** Where a table gets its rows: it asks for a range and is given what has come so far. */
export interface RowSource<Row> {
  /** Another filter or order is another list: the table goes back to its top. */
  readonly id: string;
  /** Rows that the scroller has room for now; grows while pages come in. */
  readonly count: number;
  /** Rows that match in all; undefined until the first answer. */
  readonly total: number | undefined;
  readonly rowAt: (index: number) => Row | undefined;
  /** The rows now in view, so that their pages are fetched and far ones dropped. */
  readonly show: (first: number, last: number) => void;
  /** When the rows were true, on the agent's clock. */
  readonly at: string | undefined;
  readonly isLoading: boolean;
  /** What is shown is the previous filter's answer; the new one is on its way. */
  readonly isRefreshing: boolean;
  readonly fault: ApiFault | undefined;
  readonly retry: () => void;
}
