import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

interface LinkButtonProps {
  readonly to: string;
  readonly icon?: IconName;
  readonly isQuiet?: boolean;
  readonly children: ReactNode;
}

/** A link within the application that looks like a button. */
export function LinkButton({ to, icon, isQuiet = false, children }: LinkButtonProps) {
  return (
    <Button
      component="a"
      href={`#${to}`}
      variant={isQuiet ? 'default' : 'filled'}
      leftSection={icon && <Icon name={icon} />}
    >
      {children}
    </Button>
  );
}
