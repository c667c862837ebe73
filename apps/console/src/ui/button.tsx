import clsx from 'clsx';
import type { ButtonHTMLAttributes, ReactNode } from 'react';

export type ButtonLook = 'primary' | 'danger' | 'plain' | 'quiet';

const looks: Readonly<Record<ButtonLook, string>> = {
  primary: 'bg-accent-solid text-on-solid border-transparent hover:brightness-110',
  danger: 'bg-bad-solid text-on-solid border-transparent hover:brightness-110',
  plain: 'bg-surface text-ink border-line-strong/70 hover:bg-sunken',
  quiet: 'bg-transparent text-ink-2 border-transparent hover:bg-sunken hover:text-ink',
};

/** The classes of a button, for links that look like one. */
export function buttonClass(look: ButtonLook, isSmall = false): string {
  return clsx(
    'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap',
    'disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55',
    isSmall ? 'h-6.5 min-w-6.5 px-2 text-xs' : 'h-8 px-3 text-sm',
    looks[look],
  );
}

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
  readonly look?: ButtonLook;
  readonly isSmall?: boolean;
  /** Why it cannot be pressed now; shown on hover and read out, and the button stays reachable. */
  readonly blockedBecause?: string | undefined;
  readonly children: ReactNode;
}

/** A button. One that cannot be pressed says why instead of vanishing from the keyboard's path. */
export function Button({
  look = 'plain',
  isSmall = false,
  blockedBecause,
  className,
  onClick,
  type = 'button',
  title,
  children,
  ...rest
}: ButtonProps): ReactNode {
  const isBlocked = blockedBecause !== undefined;
  return (
    <button
      {...rest}
      type={type}
      title={blockedBecause ?? title}
      aria-disabled={isBlocked || undefined}
      aria-description={blockedBecause}
      onClick={(event) => {
        if (isBlocked) event.preventDefault();
        else onClick?.(event);
      }}
      className={clsx(buttonClass(look, isSmall), className)}
    >
      {children}
    </button>
  );
}

/** A button that is only a sign; `label` is its name. */
export function IconButton({
  label,
  children,
  className,
  title,
  ...rest
}: Omit<ButtonProps, 'isSmall'> & { readonly label: string }): ReactNode {
  return (
    <Button
      look="quiet"
      {...rest}
      aria-label={label}
      title={title ?? label}
      className={clsx('!h-7 !w-7 !px-0', className)}
    >
      {children}
    </Button>
  );
}
