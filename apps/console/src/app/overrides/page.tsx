import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { OverridesScreen } from '../../features/overrides/overrides-screen.tsx';

export const metadata: Metadata = { title: 'Overrides' };

/** `/overrides/`: temporary exceptions. */
export default function Page(): ReactNode {
  return <OverridesScreen />;
}
