// Runs before the first paint, so that a dark page never flashes white. A file of its own: the
// Content-Security-Policy allows no inline script.
(() => {
  const stored = localStorage.getItem('portal.theme');
  const dark =
    stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  const root = document.documentElement;
  root.classList.add(dark ? 'dark' : 'light');
  root.style.colorScheme = dark ? 'dark' : 'light';
  root.style.backgroundColor = dark ? '#101418' : '#f4f6f8';
})();
