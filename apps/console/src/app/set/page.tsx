import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { SetScreen } from '../../features/set/set-screen.tsx';

export const metadata: Metadata = { title: 'Set' };

/** `/set/?group=…`: one group's sets. */
export default function Page(): ReactNode {
  return <SetScreen />;
}
