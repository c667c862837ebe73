'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import type { ComponentProps, ReactNode } from 'react';
import { keepHost } from './keep-host.ts';

/**
 * A link to another screen. A page's code is fetched when the pointer or the focus comes near, not for every link on
 * the screen: the first screen stays small.
 */
export function AppLink({
  href,
  ...rest
}: Omit<ComponentProps<typeof Link>, 'href'> & { readonly href: string }): ReactNode {
  const router = useRouter();
  const target = keepHost(href);
  const warm = () => router.prefetch(target);
  return <Link {...rest} href={target} prefetch={false} onMouseEnter={warm} onFocus={warm} />;
}
