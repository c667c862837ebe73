import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { ListsScreen } from '../../features/model/lists-screen.tsx';

export const metadata: Metadata = { title: 'Lists' };

/** `/lists/`: the model's lists. */
export default function Page(): ReactNode {
  return <ListsScreen />;
}
