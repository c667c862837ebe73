import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { DoctorScreen } from '../../features/doctor/doctor-screen.tsx';

export const metadata: Metadata = { title: 'Doctor' };

/** `/doctor/`: problems and checks. */
export default function Page(): ReactNode {
  return <DoctorScreen />;
}
