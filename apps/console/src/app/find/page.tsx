import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { FindScreen } from '../../features/find/find-screen.tsx';

export const metadata: Metadata = { title: 'Find an address' };

/** `/find/`: why an address is, or is not, in which set. */
export default function Page(): ReactNode {
  return <FindScreen />;
}
