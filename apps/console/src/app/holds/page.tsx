import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { HoldsScreen } from '../../features/holds/holds-screen.tsx';

export const metadata: Metadata = { title: 'Holds' };

/** `/holds/`: where programming is stopped. */
export default function Page(): ReactNode {
  return <HoldsScreen />;
}
