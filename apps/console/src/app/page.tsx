import type { ReactNode } from 'react';
import { OverviewScreen } from '../features/overview/overview-screen.tsx';

/** `/`: Overview. */
export default function Page(): ReactNode {
  return <OverviewScreen />;
}
