#!/usr/bin/env node
'use strict';function a(b,{c=function(){}}={},...d){return b?/[/]\/}/g.test(c):d/2/b}
var e=async(f,g=()=>{})=>f??=g?.5:1,h=async i=>({i,j(){},get k(){return`${`${i}`}}`},set k(l){},async*m(){},[`n`]:1,'o p':()=>{}}),q=r=>r
class s extends(class{}){#t=()=>this;static u=1;static{v()}constructor(w){super(w);this.x=function(){}}static async y(){}'z'(){}[Symbol.iterator](){}get
A(){}static}
B.prototype.C=function(){};exports.D=E=>F=>E;(function(){G.H=function(){}})();!function(){}();var I=function(){function J(){}return J.prototype.K=J}()
if(L)/x/.test(M);else{N++
/y/}for(const O of P)Q:for(;;){switch(R){case S?T:U:default:{}}}do{}while(0)/z/
label:{let V=x=>{}
(W)}x=y?z=>1:(a,b)=>{};x=a?.b?.[c]?.(d)
