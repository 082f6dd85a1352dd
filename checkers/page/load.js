// The stand-alone page: a proof from a file of this machine, checked as soon as it is chosen or dropped.

const section = document.getElementById('check-section');
const input = document.getElementById('file');
const drop = document.getElementById('drop');

async function load(file) {
  if (file === undefined) return;
  section.replaceChildren(element('h2', { text: file.name }));
  let text;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await file.arrayBuffer());
  } catch (error) {
    section.append(element('p', { id: 'verdict', class: 'fails', role: 'status', text: `unreadable: ${error.message}` }));
    return;
  }
  new CheckHere(section, text).start();
}

input.addEventListener('change', () => load(input.files[0]));
for (const kind of ['dragover', 'drop']) document.addEventListener(kind, (event) => event.preventDefault());
drop.addEventListener('dragover', () => drop.classList.add('over'));
drop.addEventListener('dragleave', () => drop.classList.remove('over'));
document.addEventListener('drop', (event) => { drop.classList.remove('over'); load(event.dataTransfer.files[0]); });
