import type { Metadata, Viewport } from 'next';
import type { ReactNode } from 'react';
import { Shell } from '../shell/shell.tsx';
import './globals.css';

export const metadata: Metadata = {
  title: { default: 'Setkeeper', template: '%s · Setkeeper' },
  description: "Keeps the kernel's ipsets equal to what the model says",
  robots: { index: false, follow: false },
};

export const viewport: Viewport = { width: 'device-width', initialScale: 1, colorScheme: 'light dark' };

/** The page around every screen. */
export default function Layout({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <script src="/theme.js" />
      </head>
      <body>
        <Shell>{children}</Shell>
      </body>
    </html>
  );
}
