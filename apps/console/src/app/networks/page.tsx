import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { NetworksScreen } from '../../features/model/networks-screen.tsx';

export const metadata: Metadata = { title: 'Networks' };

/** `/networks/`: the model's networks. */
export default function Page(): ReactNode {
  return <NetworksScreen />;
}
