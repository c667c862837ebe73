import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { EndpointsScreen } from '../../features/model/endpoints-screen.tsx';

export const metadata: Metadata = { title: 'Endpoints' };

/** `/endpoints/`: the model's endpoints. */
export default function Page(): ReactNode {
  return <EndpointsScreen />;
}
