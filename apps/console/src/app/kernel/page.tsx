import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { KernelScreen } from '../../features/kernel/kernel-screen.tsx';

export const metadata: Metadata = { title: 'Kernel' };

/** `/kernel/`: every set of the host. */
export default function Page(): ReactNode {
  return <KernelScreen />;
}
