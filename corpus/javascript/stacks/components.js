/* The components of React that an error went through. node components.js FOLDER, where react and react-test-renderer are installed. */
var modules = process.argv[2] + '/node_modules/';
var React = require(modules + 'react');
var renderer = require(modules + 'react-test-renderer');
var element = React.createElement;
globalThis.IS_REACT_ACT_ENVIRONMENT = true;
console.error = function () {};

function Price(props) {
  if (props.cents === undefined) throw new TypeError('no price');
  return element('b', null, props.cents);
}
function Row(props) { return element('li', null, element(Price, props.item)); }
var Item = React.forwardRef(function Item(props) { return element(React.memo(Row), props); });

class Boundary extends React.Component {
  constructor(props) { super(props); this.state = {}; }
  static getDerivedStateFromError() { return { failed: true }; }
  componentDidCatch(error, info) {
    console.log(error.stack.split('\n').slice(0, 4).join('\n'));
    console.log('\nThis error is located at:' + info.componentStack);
  }
  render() { return this.state.failed ? null : this.props.children; }
}
function App() {
  return element(Boundary, null, element('ul', null, element(Item, { item: {}, __source: { fileName: '/srv/app/src/App.js', lineNumber: 12 } })));
}
(renderer.act || React.act)(function () { renderer.create(element(App, { __source: { fileName: '/srv/app/src/index.js', lineNumber: 3 } })); });
