import type { AnchorHTMLAttributes } from 'react';

export interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  readonly to: string;
}

/** A link within the application. The browser follows it by itself, in another tab too. */
export function Link({ to, ...others }: LinkProps) {
  return <a href={`#${to}`} {...others} />;
}
