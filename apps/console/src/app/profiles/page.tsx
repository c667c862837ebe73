import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { ProfilesScreen } from '../../features/model/profiles-screen.tsx';

export const metadata: Metadata = { title: 'Profiles' };

/** `/profiles/`: the model's profiles. */
export default function Page(): ReactNode {
  return <ProfilesScreen />;
}
