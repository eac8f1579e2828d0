import { ActionIcon, Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { copyText } from './copy-text.ts';
import { Icon } from './icon.tsx';

interface CopyButtonProps {
  readonly text: string;
  /** What is copied, for screen readers: "the clientId". */
  readonly what: string;
  /** Shows words beside the icon. */
  readonly isLarge?: boolean;
  readonly onCopy?: () => void;
}

export function CopyButton({ text, what, isLarge = false, onCopy }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    setCopied(await copyText(text));
    onCopy?.();
  };
  const label = isCopied ? 'Copied' : 'Copy';
  if (isLarge) {
    return (
      <Button
        variant="default"
        leftSection={<Icon name={isCopied ? 'check' : 'copy'} />}
        onClick={() => void copy()}
        aria-label={`${label} ${what}`}
      >
        {label}
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
      <Icon name={isCopied ? 'check' : 'copy'} />
    </ActionIcon>
  );
}
