import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { LoginScreen } from '../../features/login/login-screen.tsx';

export const metadata: Metadata = { title: 'Log in' };

/** `/login/`: who are you. */
export default function Page(): ReactNode {
  return <LoginScreen />;
}
