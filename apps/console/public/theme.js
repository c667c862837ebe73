// Sets the chosen theme before the first paint; a file of its own so that the page needs no inline script.
try {
  const theme = localStorage.getItem('setkeeper.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // A browser that keeps nothing follows the system.
}
