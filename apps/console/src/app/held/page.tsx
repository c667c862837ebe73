import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { HeldScreen } from '../../features/held/held-screen.tsx';

export const metadata: Metadata = { title: 'Held' };

/** `/held/`: what the guard stopped. */
export default function Page(): ReactNode {
  return <HeldScreen />;
}
