import { Button as ChakraButton, Spinner } from '@chakra-ui/react';
import type { ComponentProps, ReactNode } from 'react';
import { PlainLink } from './link.tsx';

type ChakraButtonProps = ComponentProps<typeof ChakraButton>;

export interface ButtonProps extends ChakraButtonProps {
  icon?: ReactNode;
  /** Work in flight: shows a spinner and ignores further presses without losing the focus. */
  pending?: boolean;
}

export function Button({ icon, pending = false, children, onClick, type = 'button', ...props }: ButtonProps) {
  return (
    <ChakraButton
      type={type}
      {...props}
      aria-disabled={pending || undefined}
      aria-busy={pending || undefined}
      onClick={(event) => {
        if (pending) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {pending ? <Spinner size="xs" /> : icon}
      {children}
    </ChakraButton>
  );
}

export interface ButtonLinkProps extends ChakraButtonProps {
  to: string;
  icon?: ReactNode;
}

/** Looks like a button, is a link: for what goes to another page. */
export function ButtonLink({ to, icon, children, ...props }: ButtonLinkProps) {
  return (
    <ChakraButton asChild {...props}>
      <PlainLink to={to}>
        {icon}
        {children}
      </PlainLink>
    </ChakraButton>
  );
}

export interface IconButtonProps extends ButtonProps {
  /** What it does, in words. */
  label: string;
}

export function IconButton({ label, icon, ...props }: IconButtonProps) {
  return (
    <Button
      variant="ghost"
      colorPalette="gray"
      px="0"
      aria-label={label}
      title={label}
      icon={icon}
      {...props}
    />
  );
}
