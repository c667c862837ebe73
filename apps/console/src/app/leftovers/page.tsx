import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { LeftoversScreen } from '../../features/leftovers/leftovers-screen.tsx';

export const metadata: Metadata = { title: 'Leftovers' };

/** `/leftovers/`: sets of ours that nobody owns. */
export default function Page(): ReactNode {
  return <LeftoversScreen />;
}
