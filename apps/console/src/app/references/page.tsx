import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { ReferencesScreen } from '../../features/references/references-screen.tsx';

export const metadata: Metadata = { title: 'References & leaks' };

/** `/references/`: who holds which set. */
export default function Page(): ReactNode {
  return <ReferencesScreen />;
}
