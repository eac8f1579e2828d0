import type { ReactNode } from 'react';
import { ButtonLink } from '../controls/button.tsx';
import { Icon, type IconName } from '../controls/icon.tsx';

interface LinkButtonProps {
  readonly to: string;
  readonly icon?: IconName;
  readonly isQuiet?: boolean;
  readonly children: ReactNode;
}

/** A link within the application that looks like a button. */
export function LinkButton({ to, icon, isQuiet = false, children }: LinkButtonProps) {
  return (
    <ButtonLink
      href={`#${to}`}
      variant={isQuiet ? 'default' : 'filled'}
      leftSection={icon && <Icon name={icon} />}
    >
      {children}
    </ButtonLink>
  );
}
