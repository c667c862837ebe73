import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { SettingsScreen } from '../../features/settings/settings-screen.tsx';

export const metadata: Metadata = { title: 'Settings' };

/** `/settings/`: this browser, and one's own login. */
export default function Page(): ReactNode {
  return <SettingsScreen />;
}
