import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { RunScreen } from '../../features/run/run-screen.tsx';

export const metadata: Metadata = { title: 'Run' };

/** `/run/?id=…`: one run. */
export default function Page(): ReactNode {
  return <RunScreen />;
}
