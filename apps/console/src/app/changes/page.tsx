import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { ChangesScreen } from '../../features/changes/changes-screen.tsx';

export const metadata: Metadata = { title: 'Changes' };

/** `/changes/`: one time line of what changed. */
export default function Page(): ReactNode {
  return <ChangesScreen />;
}
