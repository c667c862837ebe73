import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { SourcesScreen } from '../../features/sources/sources-screen.tsx';

export const metadata: Metadata = { title: 'Sources' };

/** `/sources/`: where the model comes from. */
export default function Page(): ReactNode {
  return <SourcesScreen />;
}
