import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { PendingScreen } from '../../features/pending/pending-screen.tsx';

export const metadata: Metadata = { title: 'Pending' };

/** `/pending/`: what would be sent now. */
export default function Page(): ReactNode {
  return <PendingScreen />;
}
