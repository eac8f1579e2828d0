import { useEffect, useState } from 'react';
import { Button, IconButton } from '../controls/button.tsx';
import { Icon } from '../controls/icon.tsx';
import { t } from '../texts/texts.ts';

interface CopyButtonProps {
  readonly text: string;
  /** What is copied, as the texts of copying need it: "the clientId". */
  readonly what: string;
  /** Shows a text next to the icon. */
  readonly isLarge?: boolean;
  readonly onCopy?: () => void;
}

const states = {
  idle: { icon: 'copy', text: 'copy.copy', label: 'copy.copyIt' },
  copied: { icon: 'check', text: 'copy.copied', label: 'copy.copiedIt' },
  failed: { icon: 'warning', text: 'copy.failed', label: 'copy.copyYourself' },
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
  const { icon, text: shown } = states[state];
  const label = t(states[state].label, { what });
  if (isLarge) {
    return (
      <Button
        variant="default"
        leftSection={<Icon name={icon} />}
        onClick={() => void copy()}
        aria-label={label}
      >
        {t(shown)}
      </Button>
    );
  }
  return (
    <IconButton
      size="sm"
      className="copy-button"
      onClick={() => void copy()}
      aria-label={label}
      title={label}
    >
      <Icon name={icon} />
    </IconButton>
  );
}

/** Puts text on the clipboard; `false` when the browser does not let it. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** On plain http, away from loopback, there is no clipboard interface. */
function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'off-screen';
  const focused = document.activeElement;
  (focused?.closest('dialog') ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}
