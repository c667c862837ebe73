'use client';

import type { ReactNode } from 'react';
import { usePreference } from '../client/preferences.ts';
import { AppLink } from '../ui/app-link.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { CheckField } from '../ui/field.tsx';
import { allScreens } from './screens.ts';

const keys: readonly (readonly [string, string])[] = [
  ['⌘ K or Ctrl K', 'search sets, addresses, runs and acts'],
  ['/', "the screen's own search box"],
  ['j k or ↓ ↑', 'next and previous row of a list'],
  ['Page ↓ ↑, Home, End', 'a page, the first row, the last row'],
  ['Space', 'choose the row; Shift with an arrow chooses a range'],
  ['Enter', 'open the row'],
  ['n p', 'next and previous failed line of a run'],
  ['?', 'this page'],
  ['Esc', 'close a dialog or a panel'],
];

/** Every key, and where single letters are turned off. */
export function ShortcutHelp({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [singleKeys, setSingleKeys] = usePreference('singleKeys');
  return (
    <Dialog title="Keys" onClose={onClose} isWide>
      <p className="mb-3 text-ink-2">
        No single key programs or destroys anything. What the words on these pages mean is in the{' '}
        <AppLink className="link" href="/glossary/" onClick={onClose}>
          glossary
        </AppLink>
        .
      </p>
      <div className="grid gap-x-10 gap-y-4 sm:grid-cols-2">
        <KeyTable caption="Everywhere" rows={keys} />
        <KeyTable caption="To a screen" rows={allScreens.map((screen) => [`g ${screen.key}`, screen.label] as const)} />
      </div>
      <div className="mt-4">
        <CheckField
          label="Single-letter keys"
          isChecked={singleKeys === 'on'}
          onChange={(isOn) => setSingleKeys(isOn ? 'on' : 'off')}
        />
      </div>
    </Dialog>
  );
}

function KeyTable({
  caption,
  rows,
}: {
  readonly caption: string;
  readonly rows: readonly (readonly [string, string])[];
}): ReactNode {
  return (
    <table className="w-full self-start">
      <caption className="pb-1 text-left font-semibold">{caption}</caption>
      <tbody>
        {rows.map(([key, does]) => (
          <tr key={key}>
            <th scope="row" className="py-1 pr-4 text-left font-normal whitespace-nowrap">
              <kbd className="rounded border border-line bg-sunken px-1.5 py-0.5 text-xs">{key}</kbd>
            </th>
            <td className="py-1 text-ink-2">{does}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
