'use client';

import clsx from 'clsx';
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';

/** One entry of a menu. */
export interface MenuEntry {
  readonly id: string;
  readonly label: ReactNode;
  readonly hint?: string;
  readonly isChecked?: boolean;
  readonly isDangerous?: boolean;
  readonly blockedBecause?: string | undefined;
  readonly onSelect: () => void;
  /** A check-box entry keeps the menu open. */
  readonly keepsOpen?: boolean;
}

/** A menu of acts or choices, opened by `trigger`. */
export function Menu({
  trigger,
  label,
  entries,
  align = 'end',
}: {
  readonly trigger: ReactNode;
  readonly label: string;
  readonly entries: readonly MenuEntry[];
  readonly align?: 'start' | 'end';
}): ReactNode {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          className="z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-48 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-lg shadow-(color:--shadow)"
        >
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

const entryClass =
  'flex min-h-7.5 cursor-pointer items-center gap-2 rounded-md px-2.5 py-1 text-sm outline-none data-highlighted:bg-accent-tint data-disabled:cursor-not-allowed data-disabled:opacity-55';

function Entry({ entry }: { readonly entry: MenuEntry }): ReactNode {
  const onSelect = (event: Event) => {
    if (entry.keepsOpen === true) event.preventDefault();
    entry.onSelect();
  };
  const className = clsx(entryClass, entry.isDangerous === true && 'text-bad');
  const body = (
    <>
      <span className="flex-1">{entry.label}</span>
      {entry.hint === undefined ? null : <span className="text-xs text-ink-3">{entry.hint}</span>}
    </>
  );
  if (entry.isChecked !== undefined) {
    return (
      <DropdownMenu.CheckboxItem checked={entry.isChecked} onSelect={onSelect} className={className}>
        <span aria-hidden className="w-3 text-accent">
          {entry.isChecked ? '✓' : ''}
        </span>
        {body}
      </DropdownMenu.CheckboxItem>
    );
  }
  return (
    <DropdownMenu.Item
      disabled={entry.blockedBecause !== undefined}
      onSelect={onSelect}
      title={entry.blockedBecause}
      className={className}
    >
      {body}
    </DropdownMenu.Item>
  );
}
