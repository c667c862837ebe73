import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { RunsScreen } from '../../features/runs/runs-screen.tsx';

export const metadata: Metadata = { title: 'Runs' };

/** `/runs/`: live and past runs. */
export default function Page(): ReactNode {
  return <RunsScreen />;
}
