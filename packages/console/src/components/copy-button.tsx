import { ActionIcon, Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { copyText } from './copy-text.ts';
import { Icon } from './icon.tsx';

interface CopyButtonProps {
  readonly text: string;
  /** What is copied, for screen readers: "the clientId". */
  readonly what: string;
  /** Shows a text next to the icon. */
  readonly isLarge?: boolean;
  readonly onCopy?: () => void;
}

const states = {
  idle: { icon: 'copy', label: 'Copy' },
  copied: { icon: 'check', label: 'Copied' },
  failed: { icon: 'warning', label: 'Select and copy the text yourself: the browser does not copy it' },
} as const;

export function CopyButton({ text, what, isLarge = false, onCopy }: CopyButtonProps) {
  const [state, setState] = useState<keyof typeof states>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), 2000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => {
    const isCopied = await copyText(text);
    setState(isCopied ? 'copied' : 'failed');
    if (isCopied) onCopy?.();
  };
  const { icon, label } = states[state];
  if (isLarge) {
    return (
      <Button
        variant="default"
        leftSection={<Icon name={icon} />}
        onClick={() => void copy()}
        aria-label={`${label} ${what}`}
      >
        {state === 'failed' ? 'Not copied' : label}
      </Button>
    );
  }
  return (
    <ActionIcon
      size="sm"
      className="copy-button"
      onClick={() => void copy()}
      aria-label={`${label} ${what}`}
      title={`${label} ${what}`}
    >
      <Icon name={icon} />
    </ActionIcon>
  );
}
