import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { UsersScreen } from '../../features/users/users-screen.tsx';

export const metadata: Metadata = { title: 'Users' };

/** `/users/`: users of the gateway. */
export default function Page(): ReactNode {
  return <UsersScreen />;
}
