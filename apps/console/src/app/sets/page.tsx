import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { SetsScreen } from '../../features/sets/sets-screen.tsx';

export const metadata: Metadata = { title: 'Sets' };

/** `/sets/`: managed sets. */
export default function Page(): ReactNode {
  return <SetsScreen />;
}
