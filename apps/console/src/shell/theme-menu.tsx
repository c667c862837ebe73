'use client';

import { Clock, Monitor, Moon, Sun } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { usePreference } from '../client/preferences.ts';
import { IconButton } from '../ui/button.tsx';
import { Menu } from '../ui/menu.tsx';

const icons = { system: Monitor, light: Sun, dark: Moon } as const;

/** Light, dark or as the system is; kept for the next visit. */
export function ThemeMenu(): ReactNode {
  const [theme, setTheme] = usePreference('theme');
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }, [theme]);
  const Icon = icons[theme];
  const choices = ['system', 'light', 'dark'] as const;
  return (
    <Menu
      label="Theme"
      trigger={
        <IconButton label={`Theme: ${theme}`}>
          <Icon aria-hidden className="size-4" />
        </IconButton>
      }
      entries={choices.map((choice) => ({
        id: choice,
        label: choice === 'system' ? 'As the system' : choice === 'light' ? 'Light' : 'Dark',
        isChecked: choice === theme,
        onSelect: () => setTheme(choice),
      }))}
    />
  );
}

/** Times in UTC or in this browser's zone. */
export function ClockSwitch(): ReactNode {
  const [clock, setClock] = usePreference('clock');
  const other = clock === 'utc' ? 'local' : 'utc';
  return (
    <IconButton
      label={`Times in ${clock === 'utc' ? 'UTC' : 'local time'}; switch to ${other === 'utc' ? 'UTC' : 'local time'}`}
      onClick={() => setClock(other)}
      className="!w-auto !px-1.5"
    >
      <Clock aria-hidden className="size-4" />
      <span className="text-xs max-sm:hidden">{clock === 'utc' ? 'UTC' : 'local'}</span>
    </IconButton>
  );
}
