import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { AuditScreen } from '../../features/audit/audit-screen.tsx';

export const metadata: Metadata = { title: 'Audit' };

/** `/audit/`: who did what. */
export default function Page(): ReactNode {
  return <AuditScreen />;
}
