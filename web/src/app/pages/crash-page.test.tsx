import { ChakraProvider } from '@chakra-ui/react';
import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { createPortalSystem } from '../../ui/theme.ts';
import { CrashPage } from './crash-page.tsx';

describe('the page in the place of one that failed', () => {
  it('has a heading, names the tab, and can be loaded again', () => {
    render(
      <ChakraProvider value={createPortalSystem()}>
        <CrashPage />
      </ChakraProvider>,
    );
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('問題が発生しました');
    expect(document.title).toBe('問題が発生しました | 配信ポータル');
    expect(screen.getByRole('button', { name: '再読み込み' })).toBeTruthy();
  });
});
