import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { TagsScreen } from '../../features/model/tags-screen.tsx';

export const metadata: Metadata = { title: 'Tags' };

/** `/tags/`: which endpoints own each tag. */
export default function Page(): ReactNode {
  return <TagsScreen />;
}
